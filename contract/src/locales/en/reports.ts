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
  },
}
