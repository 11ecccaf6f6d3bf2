export default {
  'link.unreadable': '聊天数据解析失败',
  'open.app': '打开 {name}',
  'open.appText': '{name} 是安装在设备上的应用，打开时会把你的一个令牌与本站地址交给它。',
  'open.redirecting': '正在前往 {name}…',
  'token.goNow': '前往令牌页',
  'token.none': '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！',
}
