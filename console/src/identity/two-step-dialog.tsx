import { activateTwoStep, getTwoStepImage, getTwoStepSecret } from '@chairside/contract'
import { useQuery } from '@tanstack/react-query'
import { Input, Skeleton } from 'antd'
import { useState } from 'react'
import { call, callFile } from '../kit/call.ts'
import { Copyable } from '../kit/copyable.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import './identity.css'

/** Activates two-step: a secret as a QR image and as text, and the first code of the authenticator (spec 1 §2). */
export function TwoStepDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  const [otp, setOtp] = useState('')
  const offered = useQuery({
    queryKey: ['two-step secret'],
    // Each opening has a secret of its own.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const { uuid, secret } = await call(getTwoStepSecret, {}, signal)
      const picture = await callFile(getTwoStepImage, { uuid }, signal)
      return { secret, image: await dataUrlOf(picture) }
    },
  })
  return (
    <FormDialog
      title={say('identity.twoStep.title')}
      endpoint={activateTwoStep}
      input={{ otp }}
      submitText={say('identity.twoStep.submit')}
      doneText={say('identity.twoStep.activated')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{say('identity.twoStep.scan')}</p>
          {offered.isError && (
            <p className="error" role="alert">
              {say('identity.twoStep.failedSecret', { reason: offered.error.message })}
            </p>
          )}
          {offered.isPending && <Skeleton.Image active />}
          {offered.data && (
            <>
              <img
                className="two-step-image"
                src={offered.data.image}
                alt={say('identity.twoStep.image')}
                width={200}
                height={200}
              />
              <p>
                {say('identity.twoStep.secret')} <Copyable value={offered.data.secret} />
              </p>
            </>
          )}
          <FormField
            name="otp"
            label={say('identity.twoStep.code')}
            hint={say('identity.twoStep.codeHint')}
            error={errors['otp']}
            required
          >
            {(attributes) => (
              <Input
                {...attributes}
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={10}
                value={otp}
                onChange={(event) => setOtp(event.target.value)}
              />
            )}
          </FormField>
        </>
      )}
    </FormDialog>
  )
}

/** A picture as an address of itself: it came through a call, since an address alone would carry no token. */
async function dataUrlOf(picture: Blob): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer())
  return `data:${picture.type};base64,${btoa(String.fromCharCode(...bytes))}`
}
