export default {
  title: '编辑资料',
  lead: '你的名称与额度提醒',
  names: '名称',
  usernameHint: '登录时使用，最长 12 个字符',
  displayNameLength: '显示名称长度必须在 1 到 20 个字符之间',
  saved: '用户信息更新成功！',
  cancel: '返回设置',
}
