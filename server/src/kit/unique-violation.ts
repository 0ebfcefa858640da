/** PostgreSQL's word for a value that has to be unique and is there already. */
const uniqueViolation = '23505'

/** Whether a statement failed because a value that has to be unique is there already; its transaction is over. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: string }).code === uniqueViolation
