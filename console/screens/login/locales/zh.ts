export default {
  lead: '使用你的 {name} 账户继续',
  username: '用户名或邮箱',
  incomplete: '请输入用户名和密码！',
  defaultPassword: '你正在使用默认密码，请立即修改！',
  passwordOff: '管理员关闭了密码登录，请使用其他方式登录。',
  noAccount: '没有账户？',
  toRegister: '立即注册',
  forgotten: '忘记密码？',
  notSetUp: '系统尚未初始化。',
}
