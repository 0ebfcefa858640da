/** Choosing, sending in and picking pictures. */
export const pictures = {
  choose: 'Choose a picture',
  chooseAnother: 'Choose another',
  orDrop: 'Choose a picture below, or drop it here',
  drop: 'Drop the picture here',
  fromHistory: 'From earlier pictures',
  remove: 'Remove',
  preview: '{label}: chosen picture',
  uploading: 'Sending… {percent}%',
  sent: 'The picture is sent in',
  stillUploading: 'The picture is still on its way',
  bannerHint: 'JPG or PNG, {width} × {height} pixels, at most 2 MB',
  portraitHint: 'JPG or PNG, at most 2 MB',
  historyTitle: 'Earlier pictures',
  historyEmpty: 'No picture was sent in yet',
  pick: 'Use the picture of {time}',
  uploadFailed: 'Upload failed: {reason}',
}
