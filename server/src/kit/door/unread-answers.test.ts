import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { RefusedError } from '../call.ts'
import { createLongListPlaces } from './unread-answers.ts'

/** An answer, as far as a place looks at it. */
const answer = () => ({ raw: new PassThrough() }) as unknown as FastifyReply

it('a place is given past whoever went away while waiting for it', async () => {
  const takePlace = createLongListPlaces(1)
  const [first, gone, next] = [answer(), answer(), answer()]
  await takePlace(first)
  const [ofGone, ofNext] = [takePlace(gone), takePlace(next)]
  gone.raw.destroy()
  first.raw.destroy()
  await expect(ofGone).rejects.toThrow(RefusedError)
  await ofNext
})
