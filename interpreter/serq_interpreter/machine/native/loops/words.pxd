# The numbers of `words.py`, with their C types.

cdef extern from *:
    """
    #define SERQ_MASK_32 0xFFFFFFFFU
    #define SERQ_MASK_64 0xFFFFFFFFFFFFFFFFULL
    #define SERQ_PCG_MULTIPLIER 6364136223846793005ULL
    #define SERQ_PCG_INCREMENT 11634580027462260723ULL
    #define SERQ_GOLDEN_GAMMA 0x9E3779B97F4A7C15ULL
    #define SERQ_MIX_1 0xBF58476D1CE4E5B9ULL
    #define SERQ_MIX_2 0x94D049BB133111EBULL
    """
    unsigned int MASK_32 "SERQ_MASK_32"
    unsigned long long MASK_64 "SERQ_MASK_64"
    unsigned long long PCG_MULTIPLIER "SERQ_PCG_MULTIPLIER"
    unsigned long long PCG_INCREMENT "SERQ_PCG_INCREMENT"
    unsigned long long GOLDEN_GAMMA "SERQ_GOLDEN_GAMMA"
    unsigned long long MIX_1 "SERQ_MIX_1"
    unsigned long long MIX_2 "SERQ_MIX_2"
