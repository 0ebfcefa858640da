import type { Endpoint, ImportEndpoint, ImportOutcome, SheetImport } from '@chairside/contract'
import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Modal } from 'antd'
import { useState } from 'react'
import { callFile } from '../call.ts'
import { saveFile } from '../download.ts'
import { formatCount } from '../formats.ts'
import { useLanguage, useTexts } from '../language.tsx'
import { useAboveThePage } from '../above-the-page.ts'
import { useUnsavedWork } from '../unsaved-work.ts'
import { FileDrop } from './file-drop.tsx'
import { ImportReport } from './import-report.tsx'
import { useImport, type ImportStage } from './use-import.ts'
import './imports.css'

interface Props<Outcome extends ImportOutcome> {
  declared: SheetImport
  endpoint: ImportEndpoint<Outcome>
  /** The call that answers the sheet to fill in. */
  blankSheet: Endpoint
  /** What the rows are added to, by its fields. */
  target?: Readonly<Record<string, string>>
  title: string
  /** What becomes of the rows. */
  explain: string
  confirmText: (count: string) => string
  /** Told the outcome; the dialog stays until it is closed. */
  onDone?: (outcome: Outcome) => void
  onClose: () => void
}

const nowhere = {}

/**
 * Imports an Excel file: a sheet to fill in, the file chosen or dropped, what would come of it with each mistake by its
 * row, and the import once that is confirmed. A failure leaves the file chosen and the report in sight.
 */
export function ImportDialog<Outcome extends ImportOutcome>(props: Props<Outcome>) {
  const { declared, endpoint, target = nowhere, title, explain, onDone, onClose } = props
  const say = useTexts()
  const { stage, choose, check, confirm } = useImport({
    endpoint,
    target,
    onDone: (outcome: Outcome) => onDone?.(outcome),
  })
  const isDone = stage.at === 'done'
  const isWaiting = stage.at === 'importing' || (stage.at === 'checked' && stage.outcome.good > 0)
  const { mayLeave } = useUnsavedWork(isWaiting)
  const leave = async () => {
    if (stage.at !== 'importing' && (await mayLeave())) onClose()
  }
  useAboveThePage(leave)
  return (
    <Modal
      open
      width={720}
      title={title}
      onCancel={() => void leave()}
      footer={null}
      destroyOnHidden
      closable={{ 'aria-label': say('console.form.close') }}
    >
      {!isDone && (
        <>
          <p className="hint import-explain">{explain}</p>
          <BlankSheet endpoint={props.blankSheet} name={declared.fileNames.blank} />
          <FileDrop
            name={'file' in stage ? stage.file.name : undefined}
            fault={stage.at === 'refused' ? stage.fault : undefined}
            isDisabled={stage.at === 'importing'}
            onChoose={(file) => void choose(file)}
          />
        </>
      )}
      {stage.at === 'checking' && <p role="status">{say('imports.checking', { name: stage.file.name })}</p>}
      {stage.at === 'importing' && <p role="status">{say('imports.importing')}</p>}
      {'failure' in stage && (
        <p className="error" role="alert">
          {stage.failure}
        </p>
      )}
      {'outcome' in stage && <ImportReport key={stage.at} declared={declared} outcome={stage.outcome} />}
      <div className="dialog-actions">
        {/* The button that had the focus is gone when all is done. */}
        <Button key={String(isDone)} autoFocus={isDone} onClick={() => void leave()}>
          {say(isDone ? 'console.form.close' : 'console.form.cancel')}
        </Button>
        {stage.at === 'refused' && stage.mayRetry && (
          <Button type="primary" onClick={() => void check(stage.file)}>
            {say('console.list.retry')}
          </Button>
        )}
        <ConfirmButton stage={stage} textOf={props.confirmText} onConfirm={confirm} />
      </div>
    </Modal>
  )
}

interface ConfirmProps<Outcome> {
  stage: ImportStage<Outcome>
  textOf: (count: string) => string
  onConfirm: (file: File, outcome: Outcome) => Promise<void>
}

/** Says how many rows it will import; there is none while nothing can be. */
function ConfirmButton<Outcome extends ImportOutcome>({ stage, textOf, onConfirm }: ConfirmProps<Outcome>) {
  const say = useTexts()
  const { language } = useLanguage()
  if ((stage.at !== 'checked' && stage.at !== 'importing') || stage.outcome.good === 0) return null
  const { file, outcome } = stage
  return (
    <Button type="primary" loading={stage.at === 'importing'} onClick={() => void onConfirm(file, outcome)}>
      {outcome.repeats ? say('imports.again') : textOf(formatCount(outcome.good, language))}
    </Button>
  )
}

/** Saves the sheet to fill in, in the language of the screen. */
function BlankSheet({ endpoint, name }: { endpoint: Endpoint; name: string }) {
  const say = useTexts()
  const { message } = App.useApp()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFile(await callFile(endpoint, {}), name)
      void message.success(say('imports.blankSheetSaved', { name }))
    } catch (error) {
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<DownloadOutlined aria-hidden />} loading={isBusy} onClick={() => void save()}>
      {say('imports.blankSheet')}
    </Button>
  )
}
