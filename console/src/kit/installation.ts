/* What the server wrote into the page about this installation. */

function readSetting(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
}

/** Name in the footer; the setting COMPANY_NAME. */
export const companyName = readSetting('company-name') ?? 'Chairside'

/** Zone of the platform's days (decisions §1, "Time"); every time on screen is in it. */
export const platformTimeZone = readSetting('time-zone') ?? 'Asia/Shanghai'
