import type { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

interface SchemaParts {
  maxLength?: number | null
  def?: { innerType?: SchemaParts; out?: SchemaParts }
}

/** Largest number of characters that a field of a call takes; undefined when it is not a text or has no limit. */
export function textLimit(endpoint: Endpoint, field: string): number | undefined {
  let schema = endpoint.input.shape[field] as SchemaParts | undefined
  while (schema) {
    if (typeof schema.maxLength === 'number') return schema.maxLength
    schema = schema.def?.innerType ?? schema.def?.out
  }
  return undefined
}

/** Whether a call cannot do without a field. */
export function isRequired(endpoint: Endpoint, field: string): boolean {
  const schema = endpoint.input.shape[field]
  if (!schema) throw new Error(`${endpoint.path} has no field ${field}`)
  return !(schema as z.ZodType).safeParse(undefined).success
}
