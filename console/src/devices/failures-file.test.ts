import { expect, it } from 'vitest'
import type { ListedDevice } from './chosen-devices.ts'
import { linesOfFailures } from './failures-file.ts'

it('the file of what failed has every device with its reason, whatever marks are in it', () => {
  const failed = Array.from({ length: 5000 }, (_one, index) => ({
    device: { deviceId: `G${index}` } as ListedDevice,
    reason: 'In use, "now"',
  }))
  const lines = linesOfFailures(failed, { deviceId: '设备号', reason: '原因' }).split('\r\n')
  expect(lines[0]).toBe('\uFEFF"设备号","原因"')
  expect(lines).toHaveLength(5002)
  expect(lines[5000]).toBe('"G4999","In use, ""now"""')
})
