import type { pictures as english } from '../en/pictures.ts'

export const pictures: Record<keyof typeof english, string> = {
  choose: '选择图片',
  chooseAnother: '重新选择',
  orDrop: '在下方选择图片，或拖放到此处',
  drop: '将图片放到此处',
  fromHistory: '从历史图片选择',
  remove: '移除',
  preview: '{label}：已选图片',
  uploading: '上传中… {percent}%',
  stillUploading: '图片仍在上传',
  bannerHint: 'JPG 或 PNG，{width} × {height} 像素，不超过 2 MB',
  portraitHint: 'JPG 或 PNG，不超过 2 MB',
  historyTitle: '历史图片',
  historyEmpty: '还没有上传过图片',
  pick: '使用 {time} 的图片',
  uploadFailed: '上传失败：{reason}',
}
