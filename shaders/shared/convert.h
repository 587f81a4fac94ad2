// Changes to splats between files.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_CONVERT_H
#define SPLAT_SHARED_CONVERT_H

#include "types.h"

SPLAT_SHARED_BEGIN

/// What merging compares of a splat.
struct MergeSummary {
    float3 mean;
    float opacity;
    float3 variances;    // of the covariance: xx, yy, zz
    float mass;          // opacity times area; weight in moments
    float3 covariances;  // xy, xz, yz
    float importance;    // factor of the merge's error
    float3 colour;       // seen from everywhere
    uint group;          // only splats of the same group are merged
    float damage;        // error of the merges that made it
};

/// Candidates before and after a splat in the list, which is sorted along a space-filling curve.
SPLAT_CONSTANT uint kMergeWindow = 16;
SPLAT_CONSTANT uint kNoPartner = 0xffffffff;

/// A splat that another one may be merged with.
struct MergeCandidate {
    uint splat;  // or kNoPartner
    float error;
};
SPLAT_CONSTANT uint kMergeCandidates = 8;  // of each splat: where the best ones have partners, it takes the next

/// Pictures by which levels of detail are compared: square, and halved so often.
SPLAT_CONSTANT uint kComparedSize = 128;
SPLAT_CONSTANT uint kComparedBlock = 32;  // pixels of a block's side: 2^(kComparedMips - 1)
SPLAT_CONSTANT uint kComparedMips = 6;

/// Sums over a block of a picture.
struct PictureDifference {
    float squares[kComparedMips];  // of the difference of colour and coverage, by how often it was halved
    float energy;                  // squares of the reference
    float coverage;                // of the reference, pixels
};

/// Clusters of vectors: their rows are padded with zeros, and groups that follow each other in the list make a cell.
SPLAT_CONSTANT uint kRowQuads = 12;  // float4s of a row: 45 coefficients
SPLAT_CONSTANT uint kCellGroups = 64;
SPLAT_CONSTANT uint kNearCells = 16;  // that a cell's vectors are compared with, at most
SPLAT_CONSTANT uint kMostGroupCells = 1024;

/// Of a group's vectors, to the centroid that they were given to.
struct GroupErrors {
    float squares;  // sum of squared distances
    float largest;  // squared distance; negative: the group is empty
    uint farthest;  // vector at that distance
};

SPLAT_SHARED_END

#endif
