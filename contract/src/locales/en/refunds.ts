export const refunds = {
  field: {
    orderId: 'Order id',
    createTime: 'Applied at',
    merchantName: 'Merchant',
    deviceSid: 'Device',
    price: 'Amount',
    phone: 'Phone',
    status: 'Status',
    content: 'Reason given',
    reason: 'Why it failed',
    auditResult: 'Decision',
  },
  status: {
    '0': 'Failed',
    '1': 'Refunded',
    '2': 'Refused',
    '3': 'Refunded offline',
    '4': 'Ended by hand',
    '5': 'Waits for audit',
    '6': 'Under way',
  },
  filter: { '1': 'Unaudited', '2': 'Audited', '3': 'Failed' },
}
