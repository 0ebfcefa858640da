/** Words of exported sheets. */
export const sheet = { total: 'Total', rows: '{count} rows', yes: 'Yes', no: 'No' }
