/** Names of the nodes of the permission catalogue: pages by address, buttons by key. */
export const permissions = {
  menu: { orders: 'Orders', devices: 'Devices', reports: 'Reports' },
  page: {
    orders: 'Orders',
    agentorder: 'Orders',
    historyorder: 'Order history',
    refunds: 'Refunds',
    devices: 'Devices',
    reportorderday: 'Daily income',
  },
  button: {
    'order-refund': 'Refund',
    'order-start': 'Remote start',
    'order-auditrefund': 'Audit refunds',
    'order-endrefund': 'End failed refunds',
  },
}
