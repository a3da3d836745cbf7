# The types of `sums.py`, for the compiler.

cimport cython

@cython.locals(x=double, d=double, mean=double, m2=double, k=double)
cpdef mean_and_m2(const double[::1] values)

@cython.locals(i=cython.Py_ssize_t, result=double)
cpdef double total(const double[::1] values, Py_ssize_t start, Py_ssize_t stop) noexcept

@cython.locals(x=double, result=double)
cpdef double squared_deviations(const double[::1] values, double mean) noexcept

@cython.locals(k=double, number=cython.longlong, size=double, price=double, _=cython.longlong)
cpdef moved_means(long long count, double batch, double cost, list runs)

@cython.locals(k=double, i=cython.Py_ssize_t, price=double, _=cython.longlong)
cpdef moved_by_one_batch(long long count, double batch, double cost, const double[::1] numbers, double size, const double[::1] prices)

@cython.locals(x=double, n=cython.Py_ssize_t, less=cython.Py_ssize_t, kept=cython.double[::1])
cpdef at_least(const double[::1] values, double bound)
