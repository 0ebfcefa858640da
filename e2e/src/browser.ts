import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import zlib from 'node:zlib'

import { chromium, type Browser } from 'playwright-core'

import { layOutChineseFonts } from './chinese-fonts.ts'

const cacheFolder = path.join(import.meta.dirname, '../../.cache')

const bundlePackage = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '..',
)

/** Where Linux distributions and macOS put a Chromium or Chrome. */
const machinePaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** No traffic of the browser's own: tests run without a network and see only our requests. */
const quietFlags = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
]

/** What is waited for may take its time on a busy machine; starting a browser too. */
const patienceMs = 60_000

/** All pages are our own: one process draws them all, where one for each would begin anew again and again. */
const oneProcess = ['--renderer-process-limit=1', '--disable-site-isolation-trials']

/** No page of a test lives long enough to win by optimised code. */
const unoptimised = '--js-flags=--no-opt --no-maglev'

/**
 * A headless Chromium that can show Chinese: the one in CHROMIUM_PATH, one that the machine has, or the one that
 * ships in the npm package (unpacked once into `.cache`). Close it after use.
 * @param optimises whether it compiles code that runs often once more and draws each page by itself, as people's browsers do
 */
export async function launchBrowser({ optimises = false } = {}): Promise<Browser> {
  const own = findMachineBrowser()
  const bundle = own === undefined ? unpackBundle() : undefined
  const env: Record<string, string> = { FONTCONFIG_FILE: prepareFonts() }
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] ??= value
  if (bundle) env.LD_LIBRARY_PATH = path.join(bundle, 'lib')
  const browser = await chromium.launch({
    executablePath: own ?? path.join(bundle ?? '', 'chromium'),
    args: optimises ? quietFlags : [...quietFlags, ...oneProcess, unoptimised],
    chromiumSandbox: false,
    timeout: 2 * patienceMs,
    env,
  })
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}

/** Unpacks what a browser needs, before several that start at once each do so. */
export function prepareBrowser(): void {
  prepareFonts()
  if (findMachineBrowser() === undefined) unpackBundle()
}

function findMachineBrowser(): string | undefined {
  const wanted = process.env.CHROMIUM_PATH
  if (wanted && !fs.existsSync(wanted))
    throw new Error(`CHROMIUM_PATH names ${wanted}, which does not exist.`)
  return wanted || machinePaths.find((candidate) => fs.existsSync(candidate))
}

/** The folder with `chromium` and its `lib`. */
function unpackBundle(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('There is no bundled browser for this machine: install Chromium, or set CHROMIUM_PATH.')
  }
  const manifest = JSON.parse(fs.readFileSync(path.join(bundlePackage, 'package.json'), 'utf8')) as {
    version: string
  }
  return prepareOnce(`chromium-${manifest.version}`, (folder) => {
    extract('al2023.tar', folder)
    fs.writeFileSync(path.join(folder, 'chromium'), unpack('chromium'), { mode: 0o755 })
  })
}

/** Latin and Chinese; a bare machine has neither. */
function prepareFonts(): string {
  const folder = prepareOnce('browser-fonts', (part) => {
    extract('fonts.tar', part)
    layOutChineseFonts(part)
  })
  return path.join(folder, 'fonts.conf')
}

function unpack(name: string): Buffer {
  return zlib.brotliDecompressSync(fs.readFileSync(path.join(bundlePackage, 'bin', `${name}.br`)))
}

function extract(archive: string, folder: string): void {
  const run = spawnSync('tar', ['xf', '-', '--no-same-owner'], {
    cwd: folder,
    input: unpack(archive),
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`${archive} cannot be unpacked: ${run.error?.message ?? run.stderr}`)
}

/** Fills a folder of the cache so that others see it whole or not at all, also when two start at once. */
function prepareOnce(name: string, fill: (folder: string) => void): string {
  const wanted = path.join(cacheFolder, name)
  if (fs.existsSync(wanted)) return wanted
  fs.mkdirSync(cacheFolder, { recursive: true })
  const part = fs.mkdtempSync(path.join(cacheFolder, `.${name}-`))
  try {
    fill(part)
    fs.renameSync(part, wanted)
  } catch (error) {
    fs.rmSync(part, { recursive: true, force: true })
    if (!fs.existsSync(wanted)) throw error
  }
  return wanted
}
