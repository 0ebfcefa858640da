import { z } from 'zod'

/*
 * Field types of calls. Everything that comes by query or form is text, by JSON it may be a number or a boolean;
 * each type accepts both and always yields the one inner type.
 */

type Field<Output, Input> = z.ZodType<Output, Input>

const decimalText = /^-?\d{1,15}$/

function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && decimalText.test(value.trim()) ? Number(value) : value
}

/** Text without surrounding white space, at most `max` characters and not empty. */
export const text = (max: number) => z.string().trim().min(1).max(max)

/** Text that may be empty, at most `max` characters. */
export const textOrEmpty = (max: number) => z.string().trim().max(max)

/** A user name: letters, digits, underscore and hyphen, at most 50 (spec 1 §5). */
export const userName = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^[A-Za-z0-9_-]+$/, { error: 'userName' })

/** The code that an authenticator shows: in two groups mostly, and so it is typed and pasted. */
export const oneTimeCode = z.preprocess(
  (value) => (typeof value === 'string' ? value.replaceAll(/\s/g, '') : value),
  z.string().regex(/^\d{6}$/),
) as unknown as Field<string, string>

/** A whole number between `min` and `max`, both included. */
export const integer = (min: number, max: number): Field<number, number | string> =>
  z.preprocess(numberFromText, z.int().min(min).max(max)) as unknown as Field<number, number | string>

/** An id the database gave. */
export const recordId = integer(1, Number.MAX_SAFE_INTEGER)

/**
 * An array of some elements at most, or text with commas between them. How many there are is looked at before what they
 * are: a body has room for more than a hundred thousand faults, and each would be worded.
 */
export const listUpTo = <Element extends z.ZodType>(
  most: number,
  list: z.ZodArray<Element>,
  between: RegExp = /[\s,]+/,
) =>
  z.preprocess((value, context) => {
    const elements =
      typeof value === 'string' ? value.split(between).filter((element) => element !== '') : value
    if (!Array.isArray(elements) || elements.length <= most) return elements
    const input = elements.length
    context.issues.push({ code: 'too_big', origin: 'array', maximum: most, inclusive: true, input })
    return z.NEVER
  }, list.max(most))

/** Ids of one kind: an array, or text with commas between them. */
export const idList = listUpTo(2000, z.array(recordId), /[\s,[\]]+/) as unknown as Field<
  number[],
  readonly (number | string)[] | string
>

/** Ten million yuan. */
export const mostCents = 1_000_000_000

/** An amount in integer cents, at most ten million yuan. */
export const cents = (min = 0, max = mostCents) => integer(min, max)

/** A yes or no: true, false, 1, 0. */
export const flag = z.preprocess((value) => {
  if (value === 'true' || value === '1' || value === 1) return true
  if (value === 'false' || value === '0' || value === 0) return false
  return value
}, z.boolean()) as unknown as Field<boolean, boolean | 'true' | 'false' | '1' | '0' | 1 | 0>

/** A calendar day, `YYYY-MM-DD`: with room before and after for the periods that are reckoned from it. */
export const day = z.iso.date().refine((date) => date >= '1900' && date < '3000', { error: 'notADate' })

/** One of the given texts; numbers are taken as their text. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    z.enum(values),
  ) as unknown as Field<Values[number], Values[number] | number>

/** What is sent without a value is left out; white space alone is none. */
const unlessEmpty = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value

/** A filter: absent, empty and blank all mean "no filter". */
export const filter = <Output, Input>(field: Field<Output, Input>) =>
  z.preprocess(unlessEmpty, field.optional()) as unknown as z.ZodOptional<Field<Output, Input | ''>>

const nameList = listUpTo(60, z.array(z.string().max(40))) as unknown as Field<
  string[],
  readonly string[] | string
>

/**
 * What the form of an edit says beside its fields: the names of those that are sent as they were when it was opened. They
 * stay as they are now, so that two people who change different fields at once do not take back each other's
 * (docs/decisions/0291).
 */
export const leavingUnchanged = { unchanged: filter(nameList) }

/** A filter that always is one of the given texts: `byDefault` where it is absent or empty. */
export const choiceOr = <const Values extends readonly [string, ...string[]]>(
  byDefault: Values[number],
  values: Values,
) =>
  z.preprocess(unlessEmpty, choice(values).default(byDefault)) as unknown as z.ZodDefault<
    Field<Values[number], Values[number] | number | ''>
  >

/** A number that may be left out; sent without a value, it is left out too. */
const numberOr = (byDefault: number, min: number) =>
  z.preprocess(
    unlessEmpty,
    integer(min, Number.MAX_SAFE_INTEGER).default(byDefault),
  ) as unknown as z.ZodDefault<Field<number, number | string>>

/** The two fields of a list, with its usual page size: `pagenum` counts from 1, `pagesize=0` means every row (decisions §1). */
export const pagingBy = (pageSize: number) => ({ pagesize: numberOr(pageSize, 0), pagenum: numberOr(1, 1) })

/** The paging of nearly every list. */
export const paging = pagingBy(10)

/** Page sizes a console list offers (spec 1 §9). */
export const pageSizes = [10, 30, 50] as const

/** Data of a list call. */
export const listOf = <Row extends z.ZodType>(row: Row) => z.object({ list: z.array(row), total: z.int() })

/** An instant on the wire, ISO 8601 in UTC. */
export const instant = z.iso.datetime()
