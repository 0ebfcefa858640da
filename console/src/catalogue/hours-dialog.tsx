import { halfHours, isWholeDay, setPlaceHours, type PlaceRow } from '@chairside/contract'
import { useState } from 'react'
import { ChoiceField } from '../kit/choice-field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { useTexts } from '../kit/language.tsx'

const options = halfHours.map((time) => ({ value: time, label: time }))

/** When a place's chairs can be bought, in steps of half an hour, also across midnight. */
export function HoursDialog({ place, onClose }: { place: PlaceRow; onClose: () => void }) {
  const say = useTexts()
  const [opentime, setOpens] = useState(place.businessTime.openTime)
  const [closetime, setCloses] = useState(place.businessTime.closeTime)
  const words = isWholeDay(opentime, closetime)
    ? say('catalogue.place.hoursAllDay')
    : say(opentime < closetime ? 'catalogue.place.hoursWithin' : 'catalogue.place.hoursAcross', {
        open: opentime,
        close: closetime,
      })
  return (
    <FormDialog
      title={say('catalogue.place.hoursTitle', { name: place.address })}
      endpoint={setPlaceHours}
      input={{ id: place.businessTime.id, placeid: place.id, opentime, closetime }}
      submitText={say('catalogue.place.save')}
      doneText={say('catalogue.place.updated')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="hint">{say('catalogue.place.hoursExplain')}</p>
          <div className="form-grid">
            <ChoiceField
              name="opentime"
              label={say('catalogue.place.openTime')}
              error={errors['opentime']}
              value={opentime}
              options={options}
              onChange={setOpens}
            />
            <ChoiceField
              name="closetime"
              label={say('catalogue.place.closeTime')}
              error={errors['closetime']}
              hint={say('catalogue.place.allDayHint')}
              value={closetime}
              options={options}
              onChange={setCloses}
            />
          </div>
          <p role="status">{words}</p>
        </>
      )}
    </FormDialog>
  )
}
