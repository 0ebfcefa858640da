import { lazyDialog } from '../kit/lazy-part.tsx'

export const RefundDialog = lazyDialog(() =>
  import('./refund-dialog.tsx').then((module) => module.RefundDialog),
)
