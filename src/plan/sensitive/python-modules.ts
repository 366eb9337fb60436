/**
 * The modules that come with Python 3.12 and 3.13 (`sys.stdlib_module_names`), but for those that are part of the
 * interpreter itself: those are never looked for in a folder.
 */
const NAMES = `__future__ _aix_support _android_support _asyncio _bisect _blake2 _bz2 _codecs_cn _codecs_hk _codecs_iso2022
  _codecs_jp _codecs_kr _codecs_tw _collections_abc _colorize _compat_pickle _compression _contextvars _crypt _csv
  _ctypes _curses _curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external
  _gdbm _hashlib _heapq _interpchannels _interpqueues _interpreters _ios_support _json _lsprof _lzma _markupbase
  _md5 _msi _multibytecodec _multiprocessing _opcode _opcode_metadata _osx_support _overlapped _pickle _posixshmem
  _posixsubprocess _py_abc _pydatetime _pydecimal _pyio _pylong _pyrepl _queue _random _scproxy _sha1 _sha2 _sha3
  _sitebuiltins _socket _sqlite3 _ssl _statistics _strptime _struct _suggestions _sysconfig _threading_local
  _tkinter _uuid _weakrefset _winapi _wmi _zoneinfo abc aifc antigravity argparse array ast asyncio audioop base64
  bdb binascii bisect bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
  compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
  datetime dbm decimal difflib dis doctest email encodings ensurepip enum fcntl filecmp fileinput fnmatch fractions
  ftplib functools genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib
  imaplib imghdr importlib inspect io ipaddress json keyword lib2to3 linecache locale logging lzma mailbox mailcap
  math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
  opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib
  posixpath pprint profile pstats pty py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline
  reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib sndhdr
  socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
  subprocess sunau symtable sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading
  timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
  unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp
  zipfile zipimport zlib zoneinfo`

/** Made ready with the first name that is asked about: most patches hold no Python. */
let modules: ReadonlySet<string> | undefined

export function isPythonModule(name: string): boolean {
  modules ??= new Set(NAMES.split(/\s+/))
  return modules.has(name)
}
