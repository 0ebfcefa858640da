/** Device models. */
export const models = {
  field: {
    model: 'Model',
    name: 'Name',
    controlMode: 'Control mode',
    pulseCycle: 'Pulse cycle (ms)',
    pulseDutyCycle: 'Duty cycle (ms)',
    pulseDuration: 'Minutes per pulse',
    resetTime: 'Reset time (s)',
    controllable: 'Controllable',
    lightTherapy: 'Light therapy',
    sleepMode: 'Sleep mode',
  },
  controlMode: { '1': 'Command', '2': 'Pulse', '3': 'Pass-through' },
  controlModeExplain: {
    '1': 'The board is told to start for a number of minutes.',
    '2': 'The board sends the chair pulses, each worth the minutes set below.',
    '3': 'The board passes a text on to the chair unchanged.',
  },
  resetExplain:
    'After a run the chair returns to its starting position; during this time it is neither sold nor started.',
  flagsExplain:
    'A controllable chair can be stopped before its time is up, by staff and by the customer. With light therapy, the light is on while the chair runs.',
  flag: { true: 'Yes', false: 'No' },
  pulseOnly: 'Used only in control mode 2 (pulse), and kept until it is chosen.',
  pulses: 'Pulses',
  add: 'Add a model',
  addSubmit: 'Add',
  edit: 'Edit',
  editTitle: 'Edit {model}',
  editExplain: 'Chairs of this model get the change at their next start.',
  save: 'Save',
  added: 'Model added',
  updated: 'Model changed',
}
