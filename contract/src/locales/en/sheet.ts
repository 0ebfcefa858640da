/** Words of exported sheets. */
export const sheet = { total: 'Total', rows: '{count} {count:row:rows}', yes: 'Yes', no: 'No' }
