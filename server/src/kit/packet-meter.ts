export type MeterVerdict = 'fits' | 'packetTooLarge' | 'packetMalformed' | 'tooManyPackets'

export interface MeterLimits {
  packetBytes: number
  packetsPerSecond: number
  /** Packets that may come at once after a quiet time. */
  burstPackets: number
}

/**
 * Follows the packet borders in the bytes of one MQTT connection, without keeping any. A packet that is too large is
 * seen in its first five bytes, before a parser would begin to collect the rest.
 */
export class PacketMeter {
  #limits: MeterLimits
  #bytesToSkip = 0
  #isInLength = false
  #length = 0
  #lengthScale = 1
  #tokens: number
  #refilledAtMs = performance.now()

  constructor(limits: MeterLimits) {
    this.#limits = limits
    this.#tokens = limits.burstPackets
  }

  /** What comes next is held to other limits. */
  relax(limits: MeterLimits): void {
    this.#limits = limits
    this.#tokens = limits.burstPackets
  }

  inspect(chunk: Buffer): MeterVerdict {
    let at = 0
    while (at < chunk.length) {
      if (this.#bytesToSkip > 0) {
        const step = Math.min(this.#bytesToSkip, chunk.length - at)
        this.#bytesToSkip -= step
        at += step
        continue
      }
      const byte = chunk.readUInt8(at++)
      if (!this.#isInLength) {
        this.#isInLength = true
        this.#length = 0
        this.#lengthScale = 1
        continue
      }
      // MQTT 2.2.3: seven bits a byte, four bytes at most
      this.#length += (byte & 0x7f) * this.#lengthScale
      this.#lengthScale *= 128
      if (this.#length > this.#limits.packetBytes) return 'packetTooLarge'
      if (byte & 0x80) {
        if (this.#lengthScale > 128 ** 3) return 'packetMalformed'
        continue
      }
      this.#isInLength = false
      this.#bytesToSkip = this.#length
      if (!this.#takeToken()) return 'tooManyPackets'
    }
    return 'fits'
  }

  #takeToken(): boolean {
    const now = performance.now()
    const refill = ((now - this.#refilledAtMs) / 1000) * this.#limits.packetsPerSecond
    this.#tokens = Math.min(this.#limits.burstPackets, this.#tokens + refill)
    this.#refilledAtMs = now
    this.#tokens -= 1
    return this.#tokens >= 0
  }
}
