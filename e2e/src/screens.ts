/** A screen of the console as somebody opens it. */
export interface Screen {
  name: string
  /** Demo login that opens it; nobody for what needs no sign-in. */
  user: 'admin' | 'agent' | 'merchant' | 'nobody'
  address: string
  /** Opened by a click on the first such button, where a screen has a dialog worth a look of its own. */
  opens?: string
}

/** Every screen there is; each is looked at, photographed and checked from here. */
export const screens: readonly Screen[] = [
  { name: 'login', user: 'nobody', address: '/login' },
  { name: 'home', user: 'merchant', address: '/' },
  { name: 'home-agent', user: 'agent', address: '/' },
  { name: 'home-admin', user: 'admin', address: '/' },
  { name: 'find', user: 'admin', address: '/', opens: '.shell-header > button:nth-of-type(2)' },
  { name: 'orders', user: 'merchant', address: '/orders' },
  { name: 'order-details', user: 'merchant', address: '/orders', opens: '.id-button' },
  { name: 'devices', user: 'merchant', address: '/devices' },
  { name: 'device-card', user: 'merchant', address: '/devices/card/G100029' },
  {
    name: 'saved-views',
    user: 'merchant',
    address: '/devices',
    opens: '.screen-actions [aria-haspopup=dialog][aria-expanded]',
  },
  { name: 'devices-admin', user: 'admin', address: '/devices?new=1' },
  { name: 'device-add', user: 'admin', address: '/devices', opens: '.screen-actions .ant-btn-primary' },
  { name: 'models', user: 'admin', address: '/models' },
  { name: 'model', user: 'admin', address: '/models', opens: '.row-actions button' },
  { name: 'place', user: 'merchant', address: '/place' },
  { name: 'place-hours', user: 'merchant', address: '/place', opens: '.row-actions button' },
  { name: 'batchdevice', user: 'admin', address: '/batchdevice' },
  {
    name: 'batch',
    user: 'admin',
    address: '/batchdevice',
    opens: '.screen-header .ant-btn-primary',
  },
  { name: 'goodstemp', user: 'merchant', address: '/goodstemp' },
  { name: 'place-import', user: 'merchant', address: '/place', opens: '.screen-actions button' },
  { name: 'goods', user: 'merchant', address: '/goods/1' },
  { name: 'device-status', user: 'merchant', address: '/api/device/status' },
  { name: 'device-status-admin', user: 'admin', address: '/api/device/status' },
  { name: 'reportorderday', user: 'merchant', address: '/reportorderday' },
  { name: 'reportorderday-chart', user: 'merchant', address: '/reportorderday?view=chart' },
  { name: 'agentorder', user: 'agent', address: '/agentorder' },
  { name: 'historyorder', user: 'admin', address: '/historyorder' },
  { name: 'merchants', user: 'admin', address: '/merchants' },
  { name: 'merchants-below', user: 'agent', address: '/merchants' },
  { name: 'addagent', user: 'admin', address: '/addagent' },
  { name: 'addmerchant', user: 'agent', address: '/addmerchant' },
  { name: 'myinformation', user: 'merchant', address: '/myinformation' },
  { name: 'myinformation-admin', user: 'admin', address: '/myinformation' },
  { name: 'banner', user: 'merchant', address: '/banner' },
  { name: 'banner-admin', user: 'admin', address: '/banner' },
  { name: 'banner-edit', user: 'agent', address: '/banner', opens: '.row-actions button' },
  { name: 'refunds', user: 'admin', address: '/refunds' },
  { name: 'users', user: 'admin', address: '/users' },
  { name: 'notifications', user: 'merchant', address: '/notifications' },
  {
    name: 'notifications-add',
    user: 'merchant',
    address: '/notifications',
    opens: 'main .ant-btn-primary',
  },
  { name: 'subaccount', user: 'merchant', address: '/subaccount' },
  {
    name: 'permissions',
    user: 'merchant',
    address: '/subaccount',
    opens: '.row-actions button:nth-child(2)',
  },
  { name: 'alerts', user: 'merchant', address: '/alerts' },
  {
    name: 'subaccount-reset',
    user: 'merchant',
    address: '/subaccount',
    opens: '.row-actions button:nth-child(3)',
  },
  { name: 'alerts-all', user: 'agent', address: '/alerts?state=all' },
  { name: 'audit', user: 'agent', address: '/audit' },
  { name: 'refund-audit', user: 'admin', address: '/refunds?status=1', opens: '.row-actions button' },
]
