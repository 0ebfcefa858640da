import type { views as english } from '../en/views.ts'

export const views: Record<keyof typeof english, string> = {
  open: '视图',
  title: '“{list}”的视图',
  none: '此页面还没有保存的视图。设好筛选条件后，可命名保存。',
  own: '我的视图',
  shared: '同事共享',
  by: '由 {name} 共享',
  isShared: '已共享给同事',
  save: '保存当前视图…',
  saveTitle: '保存当前视图',
  edit: '修改“{name}”',
  editTitle: '修改“{name}”',
  name: '名称',
  share: '共享给同事',
  replace: '用当前筛选条件替换原有条件',
  explain:
    '保存地址中的筛选条件和每页条数。同事指本组织的账号：可看到这些筛选条件，但只能看到各自有权查看的数据。',
  tooLong: '筛选条件过长，无法保存。',
  keep: '保存',
  saved: '视图已保存',
  changed: '视图已修改',
  delete: '删除',
  deleteOf: '删除“{name}”',
  deleteTitle: '删除“{name}”？',
  deleteOwn: '仅删除保存的筛选条件，不影响任何数据。',
  deleteShared: '同事也将无法再使用此视图。仅删除保存的筛选条件，不影响任何数据。',
}
