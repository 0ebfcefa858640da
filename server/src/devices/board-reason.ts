import { refusalReasons } from '@chairside/contract/devices/device-protocol'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'

/** Why a board refused, in the reader's words; a maker's own reason as it is. */
export const boardReason = (reason: string, language: Language): string =>
  (refusalReasons as readonly string[]).includes(reason)
    ? translate(language, `devices.boardReason.${reason}`)
    : reason
