import { Link } from '@tanstack/react-router'
import './figure.css'

interface FigureProps {
  name: string
  value: string
  hint: string
  to: string
  search: Record<string, string>
}

/** A number that leads to what it counts. */
export const Figure = ({ name, value, hint, to, search }: FigureProps) => (
  <Link to={to as '/'} search={search as never} className="panel figure-panel">
    <span className="hint">{name}</span>
    <strong>{value}</strong>
    <span className="hint">{hint}</span>
  </Link>
)
