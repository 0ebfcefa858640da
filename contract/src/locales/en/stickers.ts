/** QR codes of devices for print. */
export const stickers = {
  action: 'QR codes',
  title: 'QR codes',
  titleOfOne: 'QR code of {deviceId}',
  titleOfBatch: 'QR codes of {deviceId} to {lastDeviceId}',
  explain:
    'One zip with two files for each device, PNG (300 dpi) and SVG, ready for print: the code leads to its pay page, the id stands below.',
  devices: '{count} {count:device:devices}, {files} {files:file:files}',
  picture: 'QR code of {deviceId}',
  download: 'Download the zip',
  downloadPng: 'PNG',
  downloadSvg: 'SVG',
  progress: '{done} of {total} devices',
  cancel: 'Cancel',
  saved: '{name} is saved: {count} {count:device:devices} ({size})',
}
