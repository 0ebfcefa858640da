import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { choice } from '../kit/fields.ts'
import { fieldMessages } from './field-messages.ts'

const messagesOf = (sent: unknown) => {
  const form = z.object({ workmode: choice(['0', '1']) })
  return fieldMessages(form.safeParse(sent, { reportInput: true }).error?.issues ?? [], 'en')
}

describe('a choice', () => {
  it.each([{}, { workmode: '' }, { workmode: null }])('that is left open, as by %j, is required', (sent) => {
    expect(messagesOf(sent)).toEqual({ workmode: 'Required' })
  })

  it('of what there is not is told what there is', () => {
    expect(messagesOf({ workmode: '2' })).toEqual({ workmode: 'Must be one of: 0, 1' })
  })
})
