/* The Python module `serq_grammar._tree_sitter_serq`: one function, `language()`, that hands the parser's tables to the
 * `tree_sitter` package in a capsule.  It uses the stable ABI only, so one build serves every Python from 3.11 on. */

#include <Python.h>

typedef struct TSLanguage TSLanguage;

extern const TSLanguage *tree_sitter_serq(void);

static PyObject *language(PyObject *module, PyObject *arguments) {
  (void)module;
  (void)arguments;
  return PyCapsule_New((void *)tree_sitter_serq(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", language, METH_NOARGS, "A capsule for `tree_sitter.Language`."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_tree_sitter_serq",
    .m_doc = "The tree-sitter parser of serQ.",
    .m_size = 0,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__tree_sitter_serq(void) { return PyModuleDef_Init(&definition); }
