import { controlModes, type DeviceModel } from '@chairside/contract'
import { formatCount } from '../kit/formats.ts'
import { useLanguage } from '../kit/language.tsx'

interface Props {
  model: DeviceModel
  field: 'pulseCycle' | 'pulseDutyCycle' | 'pulseDuration'
}

/** A figure of the pulse, where the model gives pulses at all. */
export function ModelFigure({ model, field }: Props) {
  const { language } = useLanguage()
  return model.controlMode === controlModes.pulse ? (
    <span className="figure">{formatCount(model[field], language)}</span>
  ) : (
    <span className="nothing">—</span>
  )
}
