import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { formatAddress, parseAddress } from '../kit/address.ts'
import { isReachable, NotReached } from '../kit/reachable.ts'
import { BrokenPage, NotFoundPage } from './plain-pages.tsx'
import { Shell } from './shell.tsx'

/* Every screen by its address (spec 1 §2); each comes when it is first opened. */

/** Of a new version the styles of a screen are gone as its code is; the router knows the words for code alone. */
const asGone = (error: unknown): unknown =>
  error instanceof Error && error.message.startsWith('Unable to preload CSS')
    ? new Error(`Failed to fetch dynamically imported module: ${error.message}`, { cause: error })
    : error

/**
 * A screen whose code comes when it is first opened. What is not there any more, since a new version is out, is had by
 * loading the page again; without a connection that would leave nothing but the browser's own words.
 */
const screenOf = <Part extends Record<string, unknown>>(
  load: () => Promise<Part>,
  name: keyof Part & string,
) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await isReachable()) ? asGone(error) : new NotReached()
      }),
    name,
  )

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: BrokenPage })
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: screenOf(() => import('../identity/login-page.tsx'), 'LoginPage'),
})
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  errorComponent: BrokenPage,
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: screenOf(() => import('./home-page.tsx'), 'HomePage'),
})
const orders = createRoute({
  getParentRoute: () => inside,
  path: '/orders',
  component: screenOf(() => import('../orders/orders-page.tsx'), 'OrdersPage'),
})
const agentOrders = createRoute({
  getParentRoute: () => inside,
  path: '/agentorder',
  component: screenOf(() => import('../orders/orders-page.tsx'), 'OrdersPage'),
})
const historyOrders = createRoute({
  getParentRoute: () => inside,
  path: '/historyorder',
  component: screenOf(() => import('../orders/history-page.tsx'), 'HistoryPage'),
})
const refunds = createRoute({
  getParentRoute: () => inside,
  path: '/refunds',
  component: screenOf(() => import('../orders/refunds-page.tsx'), 'RefundsPage'),
})
const devices = createRoute({
  getParentRoute: () => inside,
  path: '/devices',
  component: screenOf(() => import('../devices/devices-page.tsx'), 'DevicesPage'),
})
/** The devices of one merchant (spec 2 §2) are the list with that filter. */
const devicesOfMerchant = createRoute({
  getParentRoute: () => inside,
  path: '/devices/$merchantId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/devices', search: { merchantid: params.merchantId } as never, replace: true })
  },
})
/** Deeper than the list of a merchant, so that no id is taken for another. */
const chair = createRoute({
  getParentRoute: () => inside,
  path: '/devices/card/$deviceId',
  component: screenOf(() => import('./chair-page.tsx'), 'ChairPage'),
})
const models = createRoute({
  getParentRoute: () => inside,
  path: '/models',
  component: screenOf(() => import('../devices/models-page.tsx'), 'ModelsPage'),
})
const alerts = createRoute({
  getParentRoute: () => inside,
  path: '/alerts',
  component: screenOf(() => import('../devices/alerts-page.tsx'), 'AlertsPage'),
})
const places = createRoute({
  getParentRoute: () => inside,
  path: '/place',
  component: screenOf(() => import('../catalogue/places-page.tsx'), 'PlacesPage'),
})
const batches = createRoute({
  getParentRoute: () => inside,
  path: '/batchdevice',
  component: screenOf(() => import('../devices/batches-page.tsx'), 'BatchesPage'),
})
const goodsTemplates = createRoute({
  getParentRoute: () => inside,
  path: '/goodstemp',
  component: screenOf(() => import('../catalogue/goods-templates-page.tsx'), 'GoodsTemplatesPage'),
})
const goods = createRoute({
  getParentRoute: () => inside,
  path: '/goods/$id',
  component: screenOf(() => import('../catalogue/goods-page.tsx'), 'GoodsPage'),
})
/** A screen at the address of its call: the server tells navigations from calls (decisions §3). */
const deviceStatus = createRoute({
  getParentRoute: () => inside,
  path: '/api/device/status',
  component: screenOf(() => import('../devices/status-page.tsx'), 'StatusPage'),
})
const incomeDays = createRoute({
  getParentRoute: () => inside,
  path: '/reportorderday',
  component: screenOf(() => import('../reports/income-days-page.tsx'), 'IncomeDaysPage'),
})
const merchants = createRoute({
  getParentRoute: () => inside,
  path: '/merchants',
  component: screenOf(() => import('../organisations/merchants-page.tsx'), 'MerchantsPage'),
})
const addAgent = createRoute({
  getParentRoute: () => inside,
  path: '/addagent',
  component: screenOf(() => import('../organisations/organisation-form-page.tsx'), 'AddAgentPage'),
})
const addMerchant = createRoute({
  getParentRoute: () => inside,
  path: '/addmerchant',
  component: screenOf(() => import('../organisations/organisation-form-page.tsx'), 'AddMerchantPage'),
})
const editAgent = createRoute({
  getParentRoute: () => inside,
  path: '/editagent/$id',
  component: screenOf(() => import('../organisations/organisation-form-page.tsx'), 'EditAgentPage'),
})
const editMerchant = createRoute({
  getParentRoute: () => inside,
  path: '/editmerchant/$id',
  component: screenOf(() => import('../organisations/organisation-form-page.tsx'), 'EditMerchantPage'),
})
const myInformation = createRoute({
  getParentRoute: () => inside,
  path: '/myinformation',
  component: screenOf(() => import('../organisations/my-information-page.tsx'), 'MyInformationPage'),
})
const adminUsers = createRoute({
  getParentRoute: () => inside,
  path: '/users',
  component: screenOf(() => import('../identity/accounts-page.tsx'), 'AdminUsersPage'),
})
const subAccounts = createRoute({
  getParentRoute: () => inside,
  path: '/subaccount',
  component: screenOf(() => import('../identity/accounts-page.tsx'), 'SubAccountsPage'),
})
const auditTrail = createRoute({
  getParentRoute: () => inside,
  path: '/audit',
  component: screenOf(() => import('../identity/audit-page.tsx'), 'AuditPage'),
})
const notifications = createRoute({
  getParentRoute: () => inside,
  path: '/notifications',
  component: screenOf(() => import('../notifications/receivers-page.tsx'), 'ReceiversPage'),
})
const banners = createRoute({
  getParentRoute: () => inside,
  path: '/banner',
  component: screenOf(() => import('../catalogue/banners-page.tsx'), 'BannersPage'),
})
/** An unknown address is shown inside the shell, so that whoever is not signed in gets to the login (spec 1 §2). */
const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: NotFoundPage })

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    inside.addChildren([
      home,
      orders,
      agentOrders,
      historyOrders,
      refunds,
      devices,
      devicesOfMerchant,
      chair,
      models,
      batches,
      alerts,
      deviceStatus,
      places,
      goodsTemplates,
      goods,
      incomeDays,
      merchants,
      addAgent,
      addMerchant,
      editAgent,
      editMerchant,
      myInformation,
      adminUsers,
      subAccounts,
      auditTrail,
      notifications,
      banners,
      unknown,
    ]),
  ]),
  parseSearch: parseAddress,
  stringifySearch: formatAddress,
  defaultPreload: 'intent',
  defaultPreloadDelay: 20,
  defaultErrorComponent: BrokenPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
