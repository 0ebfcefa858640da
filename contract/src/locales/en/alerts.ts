/** Alerts of devices. Codes of trouble that have words; a maker may have others, which are shown as they are. */
export const alerts = {
  field: {
    kind: 'Alert',
    devices: 'Devices now',
    mostDevices: 'Most at once',
    placeDevices: 'Devices at the place',
    code: 'Code',
    times: 'Times',
    beganTime: 'Since',
    raisedTime: 'Raised',
    clearedTime: 'Cleared',
    state: 'State',
    seenBy: 'Seen by',
  },
  kind: { offline: 'Offline', trouble: 'Trouble', weakSignal: 'Weak signal', quiet: 'Unusually quiet' },
  state: { open: 'Open', cleared: 'Cleared', all: 'All' },
  trouble: {
    E01: 'Motor blocked',
    E02: 'Overheated',
    E03: 'Air pump without pressure',
    E04: 'Roller lost its position',
    E05: 'Power supply unstable',
    E06: 'Control panel does not answer',
  },
}
