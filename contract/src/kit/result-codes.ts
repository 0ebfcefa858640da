/**
 * The one catalogue of refusals. A call declares the refusals it may answer; each has a result code on the wire
 * (spec 1 §8, decisions §1) and one wording per language under `refusals.*` of the locales.
 */
export const resultCodeOf = {
  twoStepNeeded: '001',
  tokenInvalid: '02000',
  tokenExpired: '02001',
  noAccess: '103',
  wrongUserType: '103',
  grantExceedsOwn: '103',
  holdsMoreThanYou: '103',
  seesOtherPlaces: '103',
  invalidInput: '100',
  wrongCredentials: '101',
  onlyAgents: '101',
  wrongPassword: '101',
  wrongCode: '101',
  accountLocked: '102',
  passwordChangeNeeded: '105',
  notFound: '104',
  devicesGone: '104',
  noDeviceMatches: '104',
  notPossible: '105',
  changedMeanwhile: '105',
  secretExpired: '105',
  twoStepNotActive: '105',
  firstAdminStays: '105',
  notYourself: '105',
  refundNotAllowed: '105',
  refundExceedsPaid: '105',
  onlyOfflineRefund: '105',
  notStartedYet: '105',
  notADeviceOrder: '105',
  nothingLeftToDeliver: '105',
  deviceOffline: '105',
  deviceBusy: '105',
  deviceNotControllable: '105',
  deviceResetting: '105',
  deviceInTrouble: '105',
  deviceNotRunning: '105',
  wifiUnderWay: '105',
  deviceLocked: '105',
  deviceBlocked: '105',
  deviceCannotSell: '105',
  deviceUnassigned: '105',
  lockedByAdmin: '105',
  otherMerchant: '105',
  noDeviceChosen: '105',
  onlyToMerchants: '105',
  placeClosed: '105',
  goodsNotAvailable: '105',
  goodsChanged: '105',
  tooManyGoods: '105',
  goodsSoldOut: '105',
  membersOnly: '105',
  nothingSelected: '105',
  noMoveTarget: '105',
  onlyAgentsToTop: '105',
  moveBelowItself: '105',
  onlyBelowAgents: '105',
  batchAssigned: '105',
  batchEmpty: '105',
  userNameTaken: '106',
  modelTaken: '106',
  deviceIdTaken: '106',
  pictureExists: '106',
  bannerExists: '106',
  importedAlready: '106',
  bannerNotOpen: '105',
  nothingToReview: '105',
  tooManyAttempts: '107',
  tooManyStreams: '107',
  tooManyUnpaid: '107',
  tooManyPictures: '107',
  balanceTooLow: '108',
  providerNoAnswer: '109',
  providerRefused: '109',
  deviceNoAnswer: '109',
  deviceRefused: '109',
  pathUnknown: '104',
  bodyTooLarge: '100',
  mediaTypeUnknown: '100',
  tooManyRequests: '107',
  unavailable: '199',
  internal: '199',
} as const

export type Refusal = keyof typeof resultCodeOf
export type ResultCode = '000' | (typeof resultCodeOf)[Refusal]

/** The code of an answer that was not refused. */
export const successCode = '000'

/**
 * Body of every `/api` answer (decisions §1). `data` is `{ fields }` with code 100, a message for each field that was not
 * accepted, and `{ reference }` with code 199, by which the log has the cause.
 */
export interface Envelope<Data> {
  success: boolean
  resultCode: ResultCode
  message: string
  data: Data
}
