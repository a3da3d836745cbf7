# The types of `blocks.py`, for the compiler.

cimport cython

from serq_lsp_native cimport words

cdef double UNIT

cdef unsigned long long mixed(unsigned long long x) noexcept

@cython.locals(key=cython.uint[::1], uniforms=cython.double[::1], i=cython.Py_ssize_t)
cpdef first_uniforms(unsigned long long seed, unsigned long long serial, Py_ssize_t n, unsigned long long turn, unsigned long long kind)

cpdef void substream_block(unsigned long long seed, unsigned long long serial, unsigned long long turn, unsigned long long kind, unsigned long long counter, unsigned int[::1] key, double[::1] uniforms, Py_ssize_t at) noexcept

@cython.locals(uniforms=cython.double[::1], i=cython.Py_ssize_t)
cpdef stream_uniforms(const unsigned int[::1] words, unsigned long long counter, Py_ssize_t n)

@cython.locals(i=cython.int, word=cython.uint, rotation=cython.uint)
cdef void expand(unsigned long long state, unsigned int[::1] key) noexcept

cdef unsigned int added(unsigned int x, unsigned int y) noexcept

cdef unsigned int rotated(unsigned int x, int distance) noexcept

@cython.locals(output=cython.ulonglong)
cdef void keep(unsigned int low, unsigned int first_low, unsigned int high, unsigned int first_high, double[::1] uniforms, Py_ssize_t at) noexcept

@cython.locals(
    a0=cython.uint, a1=cython.uint, a2=cython.uint, a3=cython.uint,
    b0=cython.uint, b1=cython.uint, b2=cython.uint, b3=cython.uint,
    c0=cython.uint, c1=cython.uint, c2=cython.uint, c3=cython.uint,
    d0=cython.uint, d1=cython.uint, d2=cython.uint, d3=cython.uint,
)
cdef void block(const unsigned int[::1] key, unsigned long long counter, double[::1] uniforms, Py_ssize_t at) noexcept
