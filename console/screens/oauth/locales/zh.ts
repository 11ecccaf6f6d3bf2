export default {
  title: '正在使用 {name} 验证身份',
  second: '此账户已启用两步验证，请完成最后一步',
  failed: '操作失败，重定向至登录界面中...',
  bound: '绑定成功！',
}
