// npm test: checks, builds, runs every test, and ends with one line that counts them.
// npm test -- <words>: only the tests that vitest finds by these words, without the checks.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { runChecks } from './checks.mjs'
import { prepare, runProgram } from './prepare.mjs'
import { runCommand } from './stop.mjs'

await runCommand(async () => {
  const node = prepare()
  const selection = process.argv.slice(2)
  const failedChecks = selection.length > 0 ? [] : runChecks(node)
  const results = fs.mkdtempSync(path.join(os.tmpdir(), 'chairside-results-'))
  try {
    const resultFile = path.join(results, 'results.json')
    const exitCode = await runProgram(node, [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${resultFile}`,
      ...selection,
    ])
    const { passed, failed, skipped } = count(resultFile, exitCode, failedChecks)
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
    return failed > 0 ? exitCode || 1 : 0
  } finally {
    fs.rmSync(results, { recursive: true, force: true })
  }
})

/** A failed check, a test file that does not load, and a run that breaks off each count as one failure. */
function count(resultFile, exitCode, failedChecks) {
  for (const check of failedChecks) console.log(`Check failed: ${check}`)
  const run = fs.existsSync(resultFile)
    ? JSON.parse(fs.readFileSync(resultFile, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  const brokenFiles = run.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  for (const { name } of brokenFiles) console.log(`Test file failed: ${path.relative(process.cwd(), name)}`)
  let failed = run.numFailedTests + brokenFiles.length + failedChecks.length
  if (exitCode !== 0 && run.numFailedTests + brokenFiles.length === 0) {
    console.log(`The test run ended with code ${exitCode}; the reason is above.`)
    failed += 1
  }
  return { passed: run.numPassedTests, failed, skipped: run.numPendingTests + run.numTodoTests }
}
