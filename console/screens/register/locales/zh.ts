export default {
  lead: '创建你的 {name} 账户',
  usernameHint: '最长 12 个字符',
  usernameMissing: '请输入用户名！',
  usernameLong: '用户名最长 12 个字符！',
  done: '注册成功！',
  agree: '我已阅读并同意',
  agreeFirst: '请先阅读并同意！',
  and: '和',
  hasAccount: '已有账户？',
  closed: '管理员关闭了新用户注册。',
  passwordOff: '管理员已关闭密码注册，请使用第三方账户注册。',
}
