/** By which way a message reaches a receiver. */
export const receiverKinds = ['weCom', 'dingTalk', 'feishu', 'email', 'webhook'] as const
export type ReceiverKind = (typeof receiverKinds)[number]
