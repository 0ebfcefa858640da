/** Choosing and uploading pictures. */
export const pictures = {
  choose: 'Choose a picture',
  chooseAnother: 'Choose another',
  orDrop: 'Choose a picture below, or drop it here',
  drop: 'Drop the picture here',
  fromHistory: 'From earlier pictures',
  remove: 'Remove',
  preview: '{label}: chosen picture',
  uploading: 'Uploading… {percent}%',
  stillUploading: 'The picture is still being uploaded',
  bannerHint: 'JPG or PNG, {width} × {height} pixels, at most 2 MB',
  portraitHint: 'JPG or PNG, at most 2 MB',
  historyTitle: 'Earlier pictures',
  historyEmpty: 'No pictures have been uploaded yet',
  pick: 'Use the picture from {time}',
  uploadFailed: 'Upload failed: {reason}',
}
