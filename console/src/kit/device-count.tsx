import { Link } from '@tanstack/react-router'
import { formatCount } from './formats.ts'
import { useLanguage } from './language.tsx'
import { useMay } from './user.ts'

interface Props {
  count: number
  /** The filter of the device list that finds them. */
  search: Readonly<Record<string, string>>
}

/** A number of devices, a link to them for whoever may see them. */
export function DeviceCount({ count, search }: Props) {
  const may = useMay()
  const { language } = useLanguage()
  const figure = <span className="figure">{formatCount(count, language)}</span>
  if (count === 0 || !may('device.list')) return figure
  return (
    <Link to="/devices" search={search as never}>
      {figure}
    </Link>
  )
}
