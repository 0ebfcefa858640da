import { Readable } from 'node:stream'

/** The part of the broker's memory that keeps retained messages. */
export interface RetainedMessages {
  storeRetained(packet: { topic: string; payload: string | Buffer }): Promise<void>
  createRetainedStreamCombi(filters: string[]): Readable
}

/**
 * Lets a subscription without wildcards find its retained message at once. The broker goes through all there are for
 * every subscription, so with each board keeping a message, the time for all boards to connect grew with their square:
 * 5,000 of them took a minute.
 */
export function indexRetainedMessages(messages: RetainedMessages): void {
  const byTopic = new Map<string, { topic: string }>()
  const store = messages.storeRetained.bind(messages)
  const search = messages.createRetainedStreamCombi.bind(messages)
  messages.storeRetained = async (packet) => {
    await store(packet)
    if (packet.payload.length === 0) byTopic.delete(packet.topic)
    else byTopic.set(packet.topic, { ...packet })
  }
  messages.createRetainedStreamCombi = (filters) => {
    if (filters.some((filter) => /[+#]/.test(filter))) return search(filters)
    return Readable.from(filters.flatMap((filter) => byTopic.get(filter) ?? []))
  }
}
