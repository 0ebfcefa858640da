export const reports = {
  field: {
    reportDate: 'Date',
    qrcodePayIncome: 'QR income',
    qrcodePayCount: 'QR orders',
    rechargeIncome: 'Recharge income',
    rechargeCount: 'Recharges',
    otherIncome: 'Other income',
    otherCount: 'Other orders',
    totalIncome: 'Total income',
    totalCount: 'Total orders',
    at: 'Booked at',
    what: 'What',
    amount: 'Amount',
  },
  line: { payment: 'Payment', refund: 'Refund' },
}
