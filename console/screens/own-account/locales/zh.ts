export default {
  title: '编辑资料',
  lead: '修改你的用户名与显示名称',
  username: '用户名',
  usernameHint: '登录时使用，最长 12 个字符',
  usernameLength: '用户名长度必须在 1 到 12 个字符之间',
  displayName: '显示名称',
  displayNameLength: '显示名称长度必须在 1 到 20 个字符之间',
  save: '保存',
  saved: '用户信息更新成功！',
  unchanged: '没有任何修改',
  cancel: '返回设置',
}
