export default {
  title: '页面不存在',
  advice: '请检查你的浏览器地址是否正确。',
  home: '返回首页',
}
