import { pictureLimits, pictureUrl, type Endpoint } from '@chairside/contract'
import { DeleteOutlined, HistoryOutlined, PictureOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { fieldErrorsOf } from '../kit/call.ts'
import { FileChoice, useFileDrop } from '../kit/file-choice.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { faultOfChosen, sendPicture, type PictureUse } from './upload-picture.ts'
import { lazyDialog } from '../kit/lazy-part.tsx'
import './pictures.css'

const PictureHistory = lazyDialog(() =>
  import('./picture-history.tsx').then((module) => module.PictureHistory),
)

interface Props {
  /** Name of the call's field that takes the key. */
  name: string
  label: string
  use: PictureUse
  /** Key of the chosen picture, empty for none. */
  value: string
  /** The call that lists earlier pictures. */
  history: Endpoint
  error?: string | undefined
  required?: boolean
  onChange: (key: string) => void
  /** Told when a picture is on its way, so that a form waits for it. */
  onUploading?: (isUploading: boolean) => void
}

/**
 * A picture of a form: chosen, dropped or picked from earlier ones; sent in at once, with its progress, and shown as the
 * server keeps it. What the server says of it is shown at the field.
 */
export function PictureField(props: Props) {
  const { name, label, use, value, history, required = false, onChange } = props
  const say = useTexts()
  const { percent, fault, isOver, zone, send, clear } = useSending(props)
  const [picks, setPicks] = useState(false)
  const { width, height } = pictureLimits.banner
  const hint =
    use.purpose === 'banner' ? say('pictures.bannerHint', { width, height }) : say('pictures.portraitHint')
  const pick = (key: string) => {
    clear()
    onChange(key)
  }
  return (
    <FormField name={name} label={label} error={fault ?? props.error} hint={hint} required={required}>
      {(attributes) => (
        <div className={`picture-field picture-of-${use.purpose} ${isOver ? 'picture-over' : ''}`} {...zone}>
          <div className="picture-shown">
            {value === '' ? (
              <span className="picture-none" aria-hidden="true">
                <PictureOutlined aria-hidden /> {isOver ? say('pictures.drop') : say('pictures.orDrop')}
              </span>
            ) : (
              <img src={pictureUrl(value)} alt={say('pictures.preview', { label })} />
            )}
            {percent !== undefined && (
              <span className="picture-sending" role="status">
                <progress value={percent} max={100} aria-label={label} />
                {say('pictures.uploading', { percent })}
              </span>
            )}
          </div>
          <div className="picture-actions">
            <FileChoice
              attributes={attributes}
              accept="image/jpeg,image/png"
              text={say(value === '' ? 'pictures.choose' : 'pictures.chooseAnother')}
              onChoose={(file) => void send(file)}
            />
            <Button icon={<HistoryOutlined aria-hidden />} onClick={() => setPicks(true)}>
              {say('pictures.fromHistory')}
            </Button>
            {value !== '' && !required && (
              <Button icon={<DeleteOutlined aria-hidden />} onClick={() => pick('')}>
                {say('pictures.remove')}
              </Button>
            )}
          </div>
          {picks && (
            <PictureHistory
              endpoint={history}
              purpose={use.purpose}
              onPick={pick}
              onClose={() => setPicks(false)}
            />
          )}
        </div>
      )}
    </FormField>
  )
}

/** Sends what is chosen or dropped; a newer choice takes the place of one on its way. */
function useSending({ use, onChange, onUploading }: Props) {
  const say = useTexts()
  const { message } = App.useApp()
  const [percent, setPercent] = useState<number>()
  const [fault, setFault] = useState<string>()
  const underWay = useRef<AbortController>(undefined)
  useEffect(() => () => underWay.current?.abort(), [])

  const stop = () => {
    underWay.current?.abort()
    underWay.current = undefined
    setPercent(undefined)
    onUploading?.(false)
  }
  const showFailure = (error: unknown) => {
    const { file, key, token } = fieldErrorsOf(error)
    const atField = file ?? key ?? token
    if (atField !== undefined) setFault(atField)
    else void message.error(say('pictures.uploadFailed', { reason: (error as Error).message }))
  }
  const send = async (file: File) => {
    stop()
    const wrong = faultOfChosen(file)
    setFault(wrong)
    if (wrong !== undefined) return
    const controller = new AbortController()
    underWay.current = controller
    setPercent(0)
    onUploading?.(true)
    try {
      const { key } = await sendPicture(file, use, {
        onProgress: (part) => underWay.current === controller && setPercent(Math.round(part * 100)),
        signal: controller.signal,
      })
      if (underWay.current !== controller) return
      onChange(key)
    } catch (error) {
      if (underWay.current === controller) showFailure(error)
    } finally {
      if (underWay.current === controller) stop()
    }
  }
  const { isOver, zone } = useFileDrop((file) => void send(file))
  const clear = () => {
    stop()
    setFault(undefined)
  }
  return { percent, fault, isOver, zone, send, clear }
}
