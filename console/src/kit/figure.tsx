import { Link } from '@tanstack/react-router'
import './figure.css'

interface FigureProps {
  name: string
  value: string
  hint: string
  /** What it counts, where another number of that name counts something else. */
  note?: string
  to: string
  search: Record<string, string>
}

/** A number that leads to what it counts. */
export const Figure = ({ name, value, hint, note, to, search }: FigureProps) => (
  <Link to={to as '/'} search={search as never} className="panel figure-panel">
    <span className="hint">{name}</span>
    <strong>{value}</strong>
    <span className="hint">{hint}</span>
    {note !== undefined && <span className="hint figure-note">{note}</span>}
  </Link>
)
