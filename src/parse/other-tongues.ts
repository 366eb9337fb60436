/**
 * "The rest of the code stays unchanged" in the languages that people speak with models, next to English.
 *
 * Only what fills the whole remark counts, and a mere name of what is left out ("the existing methods") only where dots set
 * it off: without them it heads a section.
 */
export function saysItInAnotherTongue(core: string, isSetOff: boolean): boolean {
  if (core.length > 80) return false
  const packed = core.replaceAll(' ', '')
  return tongues().some(({ spaced, whole, setOff }) => {
    const said = spaced ? core : packed
    return whole.test(said) || (isSetOff && setOff.test(said))
  })
}

/** Tells whether a line holds a word of such a remark: a glance, for nearly none does. */
export function mayBeInAnotherTongue(line: string): boolean {
  return line.length < 130 && (plainHint.test(line) || (foreign.test(line) && hint.test(line)))
}

const foreign = /[\u00c0-\u{10ffff}]/u
const plainHint =
  /[Bb]estehend|[Vv]orhanden|[Uu]nveraend|[Ww]ie (?:bisher|gehabt)|[Bb]leib|[Ee]xist[ae]nt|[Ii]nchang|[Aa]nterior|[Ss](?:in|em|ans|enza) (?:c|m|a)|[Ii]nalterad|[Ee]sistent|[Pp]recedent|[Ii]nvariat/
const hint =
  /übrig|unverändert|inchang|sans|остал|существующ|имеющ|прежн|без изменений|не измен|пропущ|опущ|как было|代码|代碼|程式碼|省略|不变|不變|原样|原樣|相同|同上|现有|現有|原有|其余|其餘|其他|其它|剩余|剩餘|未(?:更改|修改|改动)|既存|残り|変更|そのまま|以下|中略|後略|同じ|기존|나머지|생략|변경|동일|그대로/i

interface Tongue {
  /** Words have blanks between them. */
  readonly spaced: boolean
  /** Says by itself that something is left out. */
  readonly whole: RegExp
  /** Names what is left out. */
  readonly setOff: RegExp
}

/** The words of one language, each a part of a regular expression. */
interface Words {
  readonly here: string
  /** "the rest", and of what. */
  readonly rest: string
  readonly of: string
  readonly things: string
  /** "existing things". */
  readonly old: (things: string) => string
  readonly stays: string
  /** What says it all without naming anything. */
  readonly alone: string
}

function spaced({ here, rest, of, things, old, stays, alone }: Words): Tongue {
  const restOf = `${rest} ${of}(?:\\p{L}+ )?(?:${things})`
  const front = `^(?:(?:${here}) )?`
  const subject = `(?:${restOf}|${old(`(?:${things})`)})`
  return {
    spaced: true,
    whole: new RegExp(`^(?:${alone})$|${front}(?:${subject}|${rest}) (?:${stays})$|${front}${restOf}$`, 'iu'),
    setOff: new RegExp(`${front}(?:${subject}|${rest})$`, 'iu'),
  }
}

/** Of languages that are written without blanks, or with blanks that do not matter here. */
function packed({ here, rest, of, things, old, stays, alone }: Words): Tongue {
  const subject = `(?:${old('')}|${rest})(?:${of})?(?:${things})`
  const front = `^(?:${here})?`
  return {
    spaced: false,
    whole: new RegExp(`^(?:${alone})$|${front}(?:${subject}|${rest}|${old('')})(?:${stays})$`, 'iu'),
    setOff: new RegExp(`${front}${subject}$`, 'iu'),
  }
}

const anywhere = 'html|css|jsx|imports?|tests?|hooks?|props|script|code'

const german: Words = {
  here: 'hier|hier (?:kommt|folgt|steht)',
  rest: '(?:der |den |dem )?rest',
  of: '(?:des|der|vom|von|deines|deiner|ihres|ihrer) ',
  things: `${anywhere}|(?:quell)?codes?|datei|klassen?|funktion(?:en)?|komponenten?|methoden?|moduls?|seite|skripts?|importe|styles?|stile|inhalts?|inhalte|logik|implementierung|routen|felder|konfiguration|variablen|einträge|elemente|regeln`,
  old: things =>
    `(?:der |die |das |den |dein |deine |ihr |ihre |alle )*(?:bestehend|vorhanden|restlich|übrig|existierend|bisherig|ursprünglich|ander|weiter)e[rsnm]? ${things}`,
  stays:
    '(?:bleib(?:t|en) |ist |sind )?(?:hier )?(?:unverändert|unveraendert|gleich|identisch|erhalten|bestehen|wie (?:bisher|gehabt|zuvor|vorher|oben)|hier|weggelassen|ausgelassen|gekürzt)',
  alone: 'unverändert|bleibt (?:unverändert|gleich)|weggelassen',
}

const french: Words = {
  here: 'ici',
  rest: '(?:le )?reste',
  of: "(?:du|de la|des|de l'|de votre|de ton|de) ?",
  things: `${anywhere}|fichier|fonctions?|classes?|composants?|méthodes?|module|page|importations|styles?|contenu|logique|implémentation|routes|champs|configuration|variables|éléments|règles`,
  old: things =>
    `(?:le |les |la |votre |ton |vos |tes )?(?:${things} (?:existant|précédent|restant)e?s?|autres ${things}|ancien code)`,
  stays:
    '(?:reste(?:nt)? |est |sont |demeure(?:nt)? )?(?:inchangée?s?|identiques?|le même|les mêmes|tel quel|ici|omise?s?|sans (?:changement|modification)s?|comme avant)',
  alone: '(?:reste )?inchangée?s?|sans (?:changement|modification)s?',
}

const spanish: Words = {
  here: 'aquí|aquí va',
  rest: '(?:el )?resto',
  of: '(?:del|de la|de las|de los|de tu|de su|de) ',
  things: `${anywhere}|c[óo]digo|archivo|fichero|funci(?:ón|ones)|clases?|componentes?|métodos?|módulo|página|importaciones|estilos?|contenido|lógica|implementación|rutas|pruebas|campos|configuración|variables|elementos|reglas`,
  old: things =>
    `(?:el |la |los |las |tu |su )?(?:${things} (?:existentes?|anterior(?:es)?|restantes?|actual(?:es)?|previo)|(?:demás|otr[oa]s) ${things})`,
  stays:
    '(?:permanecen? |se mantienen? |quedan? |siguen? |es |son )?(?:igual(?:es)?|sin (?:cambios|modificar|modificaciones)|inalterad[oa]s?|intact[oa]s?|aquí|omitid[oa]s?|el mismo|como (?:antes|está))',
  alone: 'sin (?:cambios|modificar|modificaciones)|(?:permanece|se mantiene) igual',
}

const portuguese: Words = {
  here: 'aqui|aqui vai',
  rest: '(?:o )?(?:resto|restante)',
  of: '(?:do|da|dos|das|do seu|de) ',
  things: `${anywhere}|c[óo]digo|arquivo|ficheiro|funç(?:ão|ões)|classes?|componentes?|métodos?|módulo|página|importações|estilos?|conteúdo|lógica|implementação|rotas|testes|campos|configuração|variáveis|elementos|regras`,
  old: things =>
    `(?:o |a |os |as |seu |seus )?(?:${things} (?:existentes?|anterior(?:es)?|restantes?|atua(?:l|is)|origina(?:l|is))|(?:outr[oa]s|demais) ${things})`,
  stays:
    '(?:permanecem? |continuam? |ficam? |se mantém |é |são )?(?:igua(?:l|is)|inalterad[oa]s?|sem (?:alterações|alteração|mudanças|modificações)|o mesmo|aqui|omitid[oa]s?|como antes|intact[oa]s?)',
  alone: 'sem (?:alterações|alteração|mudanças|modificações)|(?:permanece |continua )?inalterado|permanece igual',
}

const italian: Words = {
  here: 'qui|qui va',
  rest: '(?:il )?resto',
  of: "(?:del|della|dei|delle|dello|dell'|del tuo|di) ?",
  things: `${anywhere}|codice|file|funzion[ei]|class[ei]|component[ei]|metod[oi]|modulo|pagina|importazioni|stil[ei]|contenuto|logica|implementazione|rotte|campi|configurazione|variabili|elementi|regole`,
  old: things =>
    `(?:il |la |i |gli |le |tuo )?(?:${things} (?:esistent[ei]|precedent[ei]|rimanent[ei]|restant[ei]|attuale|originale)|altr[ie] ${things})`,
  stays:
    '(?:rimane |rimangono |resta |restano |è |sono )?(?:invariat[oaie]|uguale|uguali|lo stesso|immutat[oaie]|identic[oaie]|inalterat[oaie]|qui|omess[oaie]|senza (?:modifiche|cambiamenti)|come prima)',
  alone: '(?:rimane |resta )?invariat[oaie]|senza (?:modifiche|cambiamenti)',
}

const russian: Words = {
  here: 'здесь|тут',
  rest: '(?:вс[её] остальное|остальное|остаток|остальная часть|оставшаяся часть)',
  of: '',
  things:
    'код|кода|файла?|функци[ияй]|класса?|классы|компонента?|компоненты|метод(?:а|ы|ов)?|модул[ья]|страниц[аы]|скрипта?|импорт(?:а|ы|ов)?|стил[ией]|содержимое|содержимого|логик[аи]|реализаци[яи]|маршруты|тест(?:а|ы|ов)?|пол[яей]|конфигураци[яи]|переменные|элементы',
  old: things =>
    `(?:ваш |весь )?(?:остальн|оставш|существующ|имеющ|прежн|предыдущ|исходн|друг|стар)(?:ой|ая|ое|ые|ий|ее|ие|ийся|аяся|иеся|ый) ${things}`,
  stays:
    '(?:оста[её]тся |остаются |остал(?:ся|ась|ось|ись) )?(?:без изменений|не изменил(?:ся|ась|ось|ись)|не измен[её]н[аоы]?|не меняется|прежн(?:им|ей|ими)|таким же|тот же|как (?:было|раньше|есть)|здесь|пропущен[аоы]?|опущен[аоы]?|неизменн(?:ым|ой|ыми))',
  alone: 'без изменений|пропущено|опущено',
}

const chinese: Words = {
  here: '此处|此處|这里|這裡|以下|以上|下面|上面|后面|後面|保留|保持',
  rest: '(?:其余|其餘|其他|其它|剩余|剩餘|余下)',
  of: '的|的所有|所有',
  things:
    '(?:代码|代碼|程式碼|内容|內容|部分|逻辑|邏輯|方法|函数|函數|导入|匯入|样式|樣式|实现|實作|實現|组件|元件|文件|檔案|配置|设置|路由|测试|字段|属性|状态){1,2}',
  old: () => '(?:你的|您的)?(?:现有|現有|原有|原来|原來|原始|已有|之前|先前|前面)',
  stays:
    '(?:都|均|全部)?(?:保持|维持|維持)?(?:原样|原樣|不变|不變|相同|一致)|无变化|無變化|没有变化|未(?:变|更改|修改|改动)|[无無]需(?:修改|更改)|不[作做]修改|同上|(?:已|此处)?省略|略|在(?:此|这里|這裡)',
  alone:
    '保持(?:不变|不變|原样|原樣)|无变化|無變化|未(?:更改|修改|改动)|(?:此处|此處|这里|以下|中间|后面)?省略了?(?:其余|其餘|其他|其它|剩余|现有|部分)?的?(?:代码|代碼|程式碼|内容|內容|部分|实现|方法|逻辑)*',
}

const japanese: Words = {
  here: 'ここに|ここは|以下',
  rest: '(?:残り|その他|以降|以下|他)',
  of: 'の|のすべての|の全ての',
  things:
    '(?:コード|内容|部分|処理|メソッド|関数|インポート|スタイル|実装|コンポーネント|ファイル|ロジック|設定|ルート|テスト|フィールド|プロパティ|クラス|import文?|要素)',
  old: () => '(?:既存|以前|元|もと|現在)',
  stays:
    '(?:は|も|を|が)?(?:変更なし|変更無し|変更(?:は)?ありません|そのまま(?:です|維持)?|同じ(?:です)?|同様(?:です)?|省略(?:します)?|維持(?:します)?|変わりません|変わらず|続く|ここに)',
  alone: '変更なし|変更無し|変更(?:は)?ありません|(?:以下|以降)?省略|中略|後略|以下(?:同じ|同様)',
}

const korean: Words = {
  here: '여기에|이하|아래',
  rest: '(?:나머지|그외|기타|남은)',
  of: '의|모든',
  things:
    '(?:코드|내용|부분|로직|메서드|메소드|함수|임포트|스타일|구현|컴포넌트|파일|설정|라우트|테스트|필드|속성|클래스|import문?)(?:들)?',
  old: () => '(?:기존|이전|원래|다른|현재)',
  stays:
    '(?:[는은를을이가도])?(?:동일(?:합니다|함|하게유지)?|그대로(?:유지|입니다)?|변경(?:사항)?없[음이]|변경되지않음|생략(?:됨|합니다)?|유지(?:됩니다|합니다|됨)?|같음|여기에)',
  alone: '변경(?:사항)?없음|(?:이하|중간)?생략|이하동일|(?:이전|기존)과동일',
}

/** Made with the first line that needs them, which few answers have. */
let made: readonly Tongue[] | undefined

function tongues(): readonly Tongue[] {
  made ??= [
    ...[german, french, spanish, portuguese, italian, russian].map(spaced),
    ...[chinese, japanese, korean].map(packed),
  ]
  return made
}
