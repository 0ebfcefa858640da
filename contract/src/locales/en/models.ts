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
    '1': 'The board is told to start for so many minutes.',
    '2': 'The board gives the chair pulses, one for each of the minutes below.',
    '3': 'The board hands a text on to the chair, untouched.',
  },
  resetExplain:
    'After a run the chair goes back to its beginning; for so long it is neither sold nor started.',
  flagsExplain:
    'A controllable chair can be stopped before its time is up, by staff and by the customer. With light therapy, the light is on while the chair runs.',
  flag: { true: 'Yes', false: 'No' },
  pulseOnly: 'Only control mode 2, pulse, uses these. They are kept for when it is chosen.',
  pulses: 'Pulses',
  add: 'Add a model',
  addSubmit: 'Add',
  edit: 'Edit',
  editTitle: 'Edit {model}',
  editExplain: 'Chairs of this model get the change with their next start.',
  save: 'Save',
  added: 'The model is added',
  updated: 'The model is changed',
}
