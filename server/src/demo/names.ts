/* Words that a believable network is made of; Chinese first, English beside it. */

export const cities = [
  { name: '上海', en: 'Shanghai', code: 'sh' },
  { name: '杭州', en: 'Hangzhou', code: 'hz' },
  { name: '南京', en: 'Nanjing', code: 'nj' },
  { name: '苏州', en: 'Suzhou', code: 'sz' },
  { name: '广州', en: 'Guangzhou', code: 'gz' },
  { name: '深圳', en: 'Shenzhen', code: 'szx' },
  { name: '成都', en: 'Chengdu', code: 'cd' },
  { name: '重庆', en: 'Chongqing', code: 'cq' },
  { name: '武汉', en: 'Wuhan', code: 'wh' },
  { name: '西安', en: "Xi'an", code: 'xa' },
  { name: '青岛', en: 'Qingdao', code: 'qd' },
  { name: '厦门', en: 'Xiamen', code: 'xm' },
] as const

export const districts = [
  '东城',
  '西湖',
  '江北',
  '高新',
  '滨江',
  '南山',
  '鼓楼',
  '武侯',
  '天河',
  '思明',
  '姑苏',
  '雁塔',
] as const

export const brands = [
  { name: '云憩', en: 'Cloud Rest' },
  { name: '松间', en: 'Pinewood' },
  { name: '舒泊', en: 'Shubo' },
  { name: '悠然阁', en: 'Yoran' },
  { name: '安澜', en: 'Calm Wave' },
  { name: '拾光', en: 'Gather Light' },
  { name: '半日闲', en: 'Half-Day Leisure' },
  { name: '和风', en: 'Gentle Wind' },
  { name: '静心堂', en: 'Still Heart' },
  { name: '海底角', en: 'Deep Corner' },
  { name: '暖足', en: 'Warm Step' },
  { name: '乐享', en: 'Joyshare' },
] as const

export const venues = [
  { name: '万象城 3 层影院候影区', en: 'MixC cinema, 3F' },
  { name: '高铁站 B2 候车厅', en: 'Railway station hall B2' },
  { name: '机场 T2 登机口 18', en: 'Airport T2, gate 18' },
  { name: '龙湖天街 1 层中庭', en: 'Paradise Walk atrium' },
  { name: '银泰城 4 层母婴室旁', en: 'Intime City, 4F' },
  { name: '大学城图书馆门厅', en: 'University library lobby' },
  { name: '人民医院门诊楼等候区', en: "People's Hospital waiting area" },
  { name: '吾悦广场 5 层美食区', en: 'Wuyue Plaza food court, 5F' },
  { name: '地铁换乘大厅', en: 'Metro interchange hall' },
  { name: '奥特莱斯休息区', en: 'Outlets lounge' },
  { name: '温泉酒店大堂', en: 'Hot spring hotel lobby' },
  { name: '会展中心南厅', en: 'Expo centre, south hall' },
] as const

export const surnames = [
  '王',
  '李',
  '张',
  '刘',
  '陈',
  '杨',
  '赵',
  '黄',
  '周',
  '吴',
  '徐',
  '孙',
  '胡',
  '朱',
  '高',
  '林',
  '何',
  '郭',
  '马',
  '罗',
] as const
export const givenNames = [
  '伟',
  '芳',
  '娜',
  '敏',
  '静',
  '丽',
  '强',
  '磊',
  '军',
  '洋',
  '勇',
  '艳',
  '杰',
  '娟',
  '涛',
  '明',
  '超',
  '秀英',
  '霞',
  '平',
  '刚',
  '桂英',
  '建华',
  '子涵',
  '雨桐',
] as const

export const refundReasons = [
  '椅子没有启动',
  '中途停止了',
  '力度太小，不满意',
  '买错时长了',
  '重复付款',
  'The chair stopped half way',
  'Paid twice by mistake',
  '按摩头异响',
] as const
export const auditRemarks = ['情况属实，同意退款', '同意', '已与顾客电话确认', 'Confirmed by phone'] as const
export const refusalRemarks = ['设备日志显示已完整运行', 'The log shows a full run', '超出退款时限'] as const

/** What a template offers: minutes, price in cents, names. */
export const massageGoods = [
  { minutes: 6, cents: 500, name: '舒缓 6 分钟', nameEn: 'Relax 6 min' },
  { minutes: 10, cents: 800, name: '放松 10 分钟', nameEn: 'Unwind 10 min' },
  { minutes: 15, cents: 1200, name: '深度 15 分钟', nameEn: 'Deep 15 min' },
  { minutes: 20, cents: 1580, name: '尊享 20 分钟', nameEn: 'Premium 20 min' },
  { minutes: 30, cents: 2290, name: '全身 30 分钟', nameEn: 'Whole body 30 min' },
] as const

/** What goods can be besides, at the first merchant; those of a year are sold in the year it is. */
export const specialGoods = [
  { minutes: 5, cents: 300, name: '新客体验 5 分钟', nameEn: 'Welcome 5 min', freeFirst: true },
  { minutes: 25, cents: 1660, name: '限量秒杀 25 分钟', nameEn: 'Limited offer 25 min', stock: 30 },
  { minutes: 12, cents: 880, name: '周年庆 12 分钟', nameEn: 'Anniversary 12 min', ofThisYear: true },
  { minutes: 40, cents: 2590, name: '会员专享 40 分钟', nameEn: 'Members 40 min', memberOnly: true },
] as const

/** Opening and closing times of places that are not open all day: shops, cinemas, stations. */
export const openingHours = [
  ['10:00', '22:00'],
  ['10:00', '02:00'],
  ['06:00', '23:30'],
] as const

export const sleepGoods = [
  { minutes: 60, cents: 1990, name: '午休 1 小时', nameEn: 'Nap 1 hour' },
  { minutes: 180, cents: 3990, name: '小睡 3 小时', nameEn: 'Sleep 3 hours' },
] as const

export const deviceModels = [
  { model: 'CS-100 Classic', name: '经典 Classic', mode: 1, sleep: false, weight: 5 },
  { model: 'CS-200 Zero-G', name: '零重力 Zero-G', mode: 1, sleep: true, weight: 3 },
  { model: 'CS-P2 Pulse', name: '脉冲 Pulse', mode: 2, sleep: false, weight: 2 },
  { model: 'CS-Bridge', name: '网桥 Bridge', mode: 3, sleep: false, weight: 1 },
] as const
